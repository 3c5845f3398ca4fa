import { createHash, createHmac } from 'node:crypto';

/**
 * Sends a request with a signature of AWS (version 4) and returns the body.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export async function signedGet(
  address: string,
  environment: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<Buffer> {
  const { host, pathname } = new URL(address);
  const path = pathname
    .split('/')
    .map((part) => encodeURIComponent(decodeURIComponent(part)))
    .join('/');
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const empty = sha256('');
  const headers = { host, 'x-amz-content-sha256': empty, 'x-amz-date': time };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = [method, path, '', lines.join(''), names, empty].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer | string>(
      (before, part) => hmac(before, part),
      `AWS4${environment.AWS_SECRET_ACCESS_KEY}`,
    );
  const signature = hmac(key, text).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${environment.AWS_ACCESS_KEY_ID}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  const answer = await fetch(address, { method, headers: { ...headers, authorization } });
  const body = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${body}`);
  return body;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
