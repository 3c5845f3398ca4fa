/** Web pages that may use the API: none, all for reading, or those of some origins. */
export type CorsChoice = 'off' | '*' | readonly string[];
