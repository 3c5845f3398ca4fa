/** `npm pack` runs this after it has packed. */
import { restoreManifest } from './original-manifest.ts';

restoreManifest();
