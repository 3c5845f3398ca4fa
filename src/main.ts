import { runCli } from './cli/run-cli.ts';
import { isHangupIgnored } from './platform/config/launcher.ts';
import { exitIfStuck } from './platform/observability/exit-now.ts';

// Node has reset the signal: without a handler it would end the process.
if (isHangupIgnored()) process.on('SIGHUP', () => {});
process.exitCode = await runCli(process.argv);
exitIfStuck();
