/**
 * Beginning of the reason if a get method could not be run because the index lacked a cell: nothing is known of the account.
 * Other reasons mean that it is not of the kind. Tables of `detections` have the reason as text.
 */
export const UNKNOWN_OUTCOME = 'not known: ';
