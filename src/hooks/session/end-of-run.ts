import { appendLesson } from '../../orchestration/brain.ts';
import { nowIso } from '../../platform/clock.ts';
import type { MomentStep } from '../steps.ts';
import { keepLessons, waitingLessons } from './lessons.ts';
import { countUse } from './usage.ts';

/** UsageHook: the run's last response is counted when the run ends. */
export const countLastResponse: MomentStep = (moment) => {
  moment.receipt = { ...moment.receipt, ...countUse(moment) };
};

/** LessonsHook: writes the waiting lessons of a session into the shared brain (H-107). */
export const writeLessons: MomentStep = ({ workspace, tx, origin: { sessionId } }) => {
  const unwritten = waitingLessons(tx, sessionId).filter(
    (lesson) => appendLesson(workspace.layout, { dateIso: nowIso(), ...lesson }) === 'unusable',
  );
  keepLessons(tx, sessionId, unwritten);
};
