/** Volume of a storage policy that old parts move to. */
export const COLD_VOLUME = 'cold';

/** The storage policy of tables that name none. */
export const DEFAULT_POLICY = 'default';

/** A statement that selects the names of the disks of cold volumes. */
export const COLD_DISKS = `(SELECT arrayJoin(disks) FROM system.storage_policies WHERE volume_name = '${COLD_VOLUME}')`;
