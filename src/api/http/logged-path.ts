const MAX_SHOWN = 200;
/** Longer than any key; the rest is not shown. */
const MAX_READ = 2_000;
const VALUE = /([?&])([^=&#]*)=([^&#]*)/g;
const SECRET = new Set(['api_key', 'apikey', 'x-api-key', 'x_api_key']);

/** The address of a request as logs hold it: at most 200 characters, without the values of API keys. */
export function loggedPath(url: string): string {
  const shown = url
    .slice(0, MAX_READ)
    .replace(VALUE, (field, mark: string, name: string) =>
      SECRET.has(decodedName(name)) ? `${mark}${name}=***` : field,
    );
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).replace(/\[\]$/, '').trim().toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}
