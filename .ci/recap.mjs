// What failed, said again where a reader looks first: the end of the output. Arguments: vitest's JSON reports.
import { readFileSync } from 'node:fs';

const LINES = 40;

for (const file of process.argv.slice(2)) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    console.log(`A suite left no readable report: ${error.message}`);
    continue;
  }
  for (const suite of report.testResults) {
    const failed = suite.assertionResults.filter((test) => test.status === 'failed');
    if (suite.status === 'failed' && failed.length === 0) console.log(`\nFAILED ${suite.name}\n${suite.message}`);
    for (const test of failed) {
      console.log(`\nFAILED ${suite.name}\n  ${test.fullName}`);
      console.log(test.failureMessages.join('\n').split('\n').slice(0, LINES).join('\n'));
    }
  }
}
