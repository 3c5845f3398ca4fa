import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BrokerRefusedError } from '../../../src/log/kafka/client/errors.ts';
import { createKafkaBus } from '../../../src/log/kafka/kafka-bus.ts';
import type { KafkaSasl, KafkaTls } from '../../../src/log/kafka/kafka-options.ts';
import { EVERYTHING, keys, step } from '../../contract/log/log-fixture.ts';
import { IDENTITY, TOPIC } from '../../contract/log/test-steps.ts';
import { describeWithOwnBroker } from '../../helpers/kafka-broker.ts';

const USER = { username: 'reader', password: 'correct horse' };
const folder = mkdtempSync(join(tmpdir(), 'tonhouse-kafka-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A key and a certificate that signs itself; the names of both files. */
function makeCertificate(name: string): { readonly cert: string; readonly key: string } {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-nodes', '-days', '2', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...files, ...names], { stdio: 'ignore' });
  return { cert, key };
}

const scram = (mechanism: string) => `${mechanism}=[name=${USER.username},password=${USER.password}]`;
const module = 'org.apache.kafka.common.security';

if (spawnSync('openssl', ['version']).status !== 0) {
  console.log('skipped: a broker with TLS and SASL: openssl is not here');
  describe.skip('a broker with TLS and SASL (openssl is not here)', () => {});
} else {
  const broker = makeCertificate('broker');
  const client = makeCertificate('client');
  const keystore = join(folder, 'broker.pem');
  writeFileSync(keystore, readFileSync(broker.key, 'utf8') + readFileSync(broker.cert, 'utf8'));
  const tls: KafkaTls = { caFile: broker.cert, certFile: client.cert, keyFile: client.key };

  describeWithOwnBroker(
    'a broker with TLS and SASL',
    (running) => {
      const open = (prefix: string, sasl: KafkaSasl, more: KafkaTls = tls) =>
        createKafkaBus({
          brokers: running().brokers,
          prefix: `test.${prefix}`,
          tls: more,
          sasl,
          unavailableMs: 20_000,
        });

      it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('is used with %s', async (mechanism) => {
        const bus = await open(mechanism, { mechanism, ...USER });
        await bus.establish(IDENTITY);
        await (await bus.writer(TOPIC, 'w', 10_000)).append([step(0, 2)]);
        expect(keys(await bus.read(TOPIC, 0, 0, EVERYTHING))).toEqual(['0/0', '0/1']);
        await bus.close();
      });

      it('refuses a wrong password without a retry, and the error names the broker', async () => {
        const opening = open('wrong', { mechanism: 'scram-sha-256', ...USER, password: 'wrong' });
        const error = await opening.catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(BrokerRefusedError);
        expect(error).toMatchObject({ type: 'SASL_AUTHENTICATION_FAILED', brokers: running().brokers });
        expect((error as Error).message).not.toContain('wrong password');
      });

      it('is not trusted with a foreign certificate', async () => {
        const opening = open('tls', { mechanism: 'plain', ...USER }, { ...tls, caFile: client.cert });
        const error = await opening.catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(BrokerRefusedError);
        expect((error as BrokerRefusedError).type).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/);
      });
    },
    () => ({
      protocol: 'SASL_SSL',
      formatArguments: ['--add-scram', scram('SCRAM-SHA-256'), '--add-scram', scram('SCRAM-SHA-512')],
      properties: {
        'listener.name.client.ssl.keystore.type': 'PEM',
        'listener.name.client.ssl.keystore.location': keystore,
        'listener.name.client.ssl.truststore.type': 'PEM',
        'listener.name.client.ssl.truststore.location': client.cert,
        'listener.name.client.ssl.client.auth': 'required',
        'listener.name.client.sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
        'listener.name.client.plain.sasl.jaas.config': `${module}.plain.PlainLoginModule required user_${USER.username}="${USER.password}";`,
        'listener.name.client.scram-sha-256.sasl.jaas.config': `${module}.scram.ScramLoginModule required;`,
        'listener.name.client.scram-sha-512.sasl.jaas.config': `${module}.scram.ScramLoginModule required;`,
      },
    }),
  );
}
