/** What several hosts' installers tell a human once they have installed. */
export const NOTES = {
  everyProject:
    'Every project of yours is governed now. In one without .orchestration every tool call is refused.',
  startInside: 'Start the client in the workspace folder itself: from a subfolder it loads no project hooks.',
  ownPaths: 'The file names paths of this machine; where others share the repository, use --user instead.',
  ownPathsOfFiles:
    'The files name paths of this machine; where others share the repository, use --user instead.',
} as const;
