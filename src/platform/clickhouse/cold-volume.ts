/** Volume of a storage policy that old parts move to. */
export const COLD_VOLUME = 'cold';

/**
 * Volume that no policy has, in the TTL of an embedded store's tables: its server notes how old the rows of each part are,
 * and moves nothing by itself (move-parts.ts).
 */
export const AGED_VOLUME = 'aged';

/** The storage policy of tables that name none. */
export const DEFAULT_POLICY = 'default';

/** A statement that selects the names of the disks of cold volumes. */
export const COLD_DISKS = `(SELECT arrayJoin(disks) FROM system.storage_policies WHERE volume_name = '${COLD_VOLUME}')`;
