import { join } from 'node:path';
import { getCACertificates, rootCertificates } from 'node:tls';
import { writePrivateFile } from '../../files/private-directory.ts';

/** Path of the authorities that the server trusts. Its file fence hides those of the system. */
export function certificatesFile(directory: string): string {
  return join(directory, 'certificates.pem');
}

/**
 * Writes the authorities that Node trusts, for addresses with https: Mozilla's, those of NODE_EXTRA_CA_CERTS, and those of the system.
 * Node before 22.15 has only the first.
 */
export function writeCertificates(directory: string): void {
  const hasLists = typeof getCACertificates === 'function';
  const trusted = hasLists
    ? [...getCACertificates('default'), ...getCACertificates('system')]
    : rootCertificates;
  writePrivateFile(certificatesFile(directory), `${[...new Set(trusted)].join('\n')}\n`);
}
