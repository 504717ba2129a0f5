import type { IMPORT_PRODUCTS } from '#api/constants.ts';
import { chevereto } from './chevereto.ts';
import { immich } from './immich.ts';
import type { SourceKind } from './item.ts';
import { lsky } from './lsky.ts';
import { slink } from './slink.ts';
import { zipline } from './zipline.ts';

/** The products that Pixdock imports from, by the names in the command line. A new one is a file beside these and a line here. */
export const SOURCES: Readonly<Record<(typeof IMPORT_PRODUCTS)[number], SourceKind>> = { zipline, lsky, chevereto, slink, immich };
