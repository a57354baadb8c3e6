import { beforeEach, describe, expect, test } from 'vitest';
import { BEGINNING } from '../../../src/core/machine.ts';
import type { Storage, Tables } from '../../../src/ledger/port.ts';
import type { Opened } from './contract.ts';
import { call, SESSION } from './drafts.ts';

/** What the state keeps of its own: sessions, notes and calls in flight. */
export function keptContract(opened: () => Opened): void {
  let storage: Storage;
  let tables: Tables;
  beforeEach(() => {
    storage = opened().storage;
    tables = storage.tables;
  });
  const write = <T>(work: () => T): T => storage.transact(5_000, work);

  describe('sessions, transcripts and notes', () => {
    test('a session that is not known is at the beginning; one that was put is read as it is', () => {
      const blank = { haltReason: null, haltIntent: null, host: null, model: null, reasoning: null };
      expect(tables.session('s')).toEqual({ id: 's', ...BEGINNING, ...blank });
      write(() => tables.putSession(SESSION));
      expect(tables.session('s')).toEqual(SESSION);
      write(() => tables.putSession({ ...SESSION, model: null }));
      expect(tables.session('s').model).toBeNull();
    });

    test('sessions: the one changed last comes first, as many as were asked for', () => {
      for (const id of ['a', 'b', 'c', 'a']) {
        const before = Date.now();
        write(() => tables.putSession({ ...SESSION, id }));
        // The order is that of the clock, which must have gone on.
        while (Date.now() === before);
      }
      expect(tables.sessions(2).map(({ id }) => id)).toEqual(['a', 'c']);
      const { updatedAt, ...row } = tables.sessions(1)[0]!;
      expect(row).toEqual({ ...SESSION, id: 'a' });
      expect(new Date(updatedAt).toISOString()).toBe(updatedAt);
    });

    test('a transcript is known as far as it was read last', () => {
      expect(tables.transcript('/t')).toBeNull();
      write(() => tables.putTranscript('/t', 's', { offset: 1, lastMessage: null, model: null }));
      write(() => tables.putTranscript('/t', 's', { offset: 2 ** 40, lastMessage: 'm1', model: 'm' }));
      expect(tables.transcript('/t')).toEqual({ offset: 2 ** 40, lastMessage: 'm1', model: 'm' });
    });

    test('a note holds what was put last; what was compiled is found by its bytes alone', () => {
      write(() => {
        tables.putNote('key', '1');
        tables.putNote('key', 'ü\u{1f99e}\n');
        tables.putCompiled('file', 'd1', 'one');
        tables.putCompiled('file', 'd2', 'two');
      });
      expect(tables.note('key')).toBe('ü\u{1f99e}\n');
      expect(['d1', 'd2'].map((digest) => tables.compiled('file', digest))).toEqual([null, 'two']);
    });
  });

  describe('calls in flight', () => {
    test('a call is in flight from its attempt to its end, which takes its preimages along', () => {
      const image = { path: 'a', hash: 'h', content: Buffer.from([0, 255]) };
      const gone = { path: 'b', hash: null, content: null };
      write(() => {
        tables.putCall('s', 'c', call('one'));
        for (const one of [image, gone]) tables.putPreimage('s', 'c', one);
        tables.putPreimage('s', 'other', image);
      });
      expect(tables.pendingCall('s', 'c')).toEqual(call('one'));
      expect(tables.callsInFlight()).toEqual([{ sessionId: 's', callId: 'c', ...call('one') }]);
      const kept = tables.preimages('s', 'c').toSorted((a, b) => a.path.localeCompare(b.path));
      expect(kept).toEqual([image, gone]);
      write(() => tables.endCall('s', 'c'));
      expect([tables.pendingCall('s', 'c'), tables.callsInFlight(), tables.preimages('s', 'c')]).toEqual([
        null,
        [],
        [],
      ]);
      expect(tables.preimages('s', 'other')).toEqual([image]);
    });

    test('what the ledger gained since a call began, also when the call is put again', () => {
      write(() => {
        tables.addMutation('I-1', 'before', 1);
        tables.putCall('s', 'c', call('one'));
        tables.addMutation('I-1', 'after', 2);
        tables.addMutation('I-1', null, 3);
        tables.putCall('s', 'c', call('two'));
      });
      expect(tables.pendingCall('s', 'c')).toEqual(call('two'));
      expect(tables.recordedSince('s', 'c')).toEqual(['after']);
      expect(tables.recordedSince('s', 'unknown')).toEqual([]);
    });

    test('calls are found by how their id begins, taken literally, in one session', () => {
      const found = (prefix: string) => tables.callsBeginningWith('s', prefix).map(({ callId }) => callId);
      write(() => {
        for (const id of ['x%1', 'x_2', 'xy3', 'X%4', '\u{1f99e}5']) tables.putCall('s', id, call(id));
        tables.putCall('t', 'x%6', call('x'));
      });
      expect([found('x%'), found('x_'), found('\u{1f99e}')]).toEqual([['x%1'], ['x_2'], ['\u{1f99e}5']]);
      expect(found('x').toSorted()).toEqual(['x%1', 'x_2', 'xy3']);
      expect(tables.callsBeginningWith('s', 'xy')).toEqual([{ callId: 'xy3', detail: 'xy3' }]);
    });

    test('a new request drops the calls of its session, but those that last', () => {
      write(() => {
        for (const id of ['short', 'long']) tables.putCall('s', id, call(id));
        tables.putCall('t', 'short', call('short'));
        tables.putPreimage('s', 'short', { path: 'a', hash: null, content: null });
        tables.dropCalls('s', (detail) => detail === 'long');
      });
      expect(tables.pendingCall('s', 'short')).toBeNull();
      expect(tables.preimages('s', 'short')).toEqual([]);
      expect([tables.pendingCall('s', 'long'), tables.pendingCall('t', 'short')]).not.toContain(null);
    });
  });
}
