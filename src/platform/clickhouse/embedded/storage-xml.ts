import { COLD_VOLUME } from '../cold-volume.ts';

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Disks and volumes of a server with a cold folder: every table has both volumes by the default policy. Parts change
 * the volume only by the TTL of their table or by a statement: with the server's own `move_factor`, parts of any table
 * would move when the disk is almost full. New parts are written to the first volume, whatever their age.
 */
export function storageXml(coldFolder: string): string {
  return `<storage_configuration>
    <disks>
      <${COLD_VOLUME}><type>local</type><path>${escapeXml(coldFolder)}/</path></${COLD_VOLUME}>
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
