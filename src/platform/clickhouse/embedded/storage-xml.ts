import { COLD_VOLUME } from '../cold-volume.ts';
import type { ColdPlace } from './cold-place.ts';

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Disks and volumes of a server with a cold place: every table has both volumes by the default policy. Parts change
 * the volume only by the TTL of their table or by a statement: with the server's own `move_factor`, parts of any table
 * would move when the disk is almost full. New parts are written to the first volume, whatever their age.
 */
export function storageXml(place: ColdPlace): string {
  return `<storage_configuration>
    <disks>
      <${COLD_VOLUME}>${diskXml(place)}</${COLD_VOLUME}>
    </disks>
    <policies>
      <default>
        <volumes>
          <default><disk>default</disk></default>
          <${COLD_VOLUME}>
            <disk>${COLD_VOLUME}</disk>
            <perform_ttl_move_on_insert>false</perform_ttl_move_on_insert>
          </${COLD_VOLUME}>
        </volumes>
        <move_factor>0</move_factor>
      </default>
    </policies>
  </storage_configuration>`;
}

function diskXml(place: ColdPlace): string {
  const values =
    'folder' in place
      ? { type: 'local', path: `${place.folder}/` }
      : {
          type: 's3',
          endpoint: place.endpoint,
          region: place.region,
          access_key_id: place.accessKey,
          secret_access_key: place.secretKey,
          ...(place.sessionToken !== undefined && { session_token: place.sessionToken }),
        };
  return Object.entries(values)
    .map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`)
    .join('');
}
