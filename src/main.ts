import { EXIT } from './cli/exit-codes.ts';
import { runCli } from './cli/run-cli.ts';
import { isHangupIgnored, stopsWithInput } from './platform/config/launcher.ts';
import { errorText } from './platform/observability/error-text.ts';
import { exitIfStuck } from './platform/observability/exit-now.ts';
import { printNotice } from './platform/observability/terminal.ts';

// Node has reset the signal: without a handler it would end the process.
if (isHangupIgnored()) process.on('SIGHUP', () => {});
// An open input would keep the process running after it has stopped.
if (stopsWithInput())
  process.stdin
    .resume()
    .on('end', () => process.kill(process.pid, 'SIGTERM'))
    .unref();
// Whoever reads the answer may stop early, as `head` does. That is no fault to report.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.stopped);
});
// Node would print the message raw.
process.on('uncaughtException', (error) => {
  printNotice(errorText(error, true));
  process.exit(EXIT.failed);
});
process.exitCode = await runCli(process.argv);
exitIfStuck();
