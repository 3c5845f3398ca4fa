/**
 * A process that moves sealed files and kills itself after the first step of a kind. Arguments: the folder of the log, the
 * target, the step; `uploading`: after the first part of an upload. The login of a bucket is in the environment.
 */
import { moveSealed } from '../../../../src/log/sqlite/sealing/move-sealed.ts';

const [sealed = '', to = '', last = ''] = process.argv.slice(2);
const { AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
const killAfter = (step: string) => {
  process.stdout.write(`${step}\n`);
  if (step === last) process.kill(process.pid, 'SIGKILL');
};
await moveSealed(sealed, to, {
  signal: new AbortController().signal,
  objectStore: {
    s3Endpoint: AWS_ENDPOINT_URL,
    s3Region: 'us-east-1',
    s3AccessKey: AWS_ACCESS_KEY_ID,
    s3SecretKey: AWS_SECRET_ACCESS_KEY,
  },
  onBytes: () => killAfter('uploading'),
  onStep: ({ step }) => killAfter(step),
});
