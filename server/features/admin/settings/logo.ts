import { readFile } from 'node:fs/promises';
import { MAX_LOGO_SVG_BYTES } from '#api/constants.ts';
import { formatsWith } from '#api/formats.ts';
import { plateOf } from '#api/plate.ts';
import { removeSitePictures, storeSitePictures, versionOf } from '#server/core/settings/brand.ts';
import type { Settings } from '#server/core/settings/settings.ts';
import type { SettingsStore } from '#server/core/settings/settings-store.ts';
import { fileTooLarge } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { Decoding } from '#server/platform/imaging/decoding.ts';
import { makeEmblem } from '#server/platform/imaging/emblem.ts';
import { sniff } from '#server/platform/imaging/sniff.ts';
import type { StagedFile } from '#server/platform/storage/staged.ts';

const LOGO_SIDE = 512;
const ICON = { side: 64, to: 'png' } as const;
/** Home screens show black behind what is transparent. */
const TILE = { side: 192, to: 'png', ground: '#ffffff' } as const;
/** For logos that can't be seen on white. */
const DARK_TILE = { ...TILE, ground: '#1d2628' } as const;

/** A logo to be stored in one unit of writing with other settings. */
export interface LogoChange {
  settings: Pick<Settings, 'logo'>;
  action: 'settings.logo_changed' | 'settings.logo_removed';
  store(queries: Queries): Promise<void>;
}

/**
 * Makes a logo of an upload. A drawing stays as it is, so that it is sharp in every size; anything else is encoded again.
 * @throws ImageError or RequestError with the reason
 */
export async function makeLogo(file: StagedFile, decoding: Decoding): Promise<LogoChange> {
  const bytes = await bytesOfDrawing(file);
  const options = { side: LOGO_SIDE, fit: 'inside', versions: [{ side: LOGO_SIDE, to: 'webp' }, ICON, TILE] } as const;
  const { versions, width, height, sample } = await makeEmblem(file, formatsWith('logo'), options, decoding);
  const [webp, icon, whiteTile] = versions as [Uint8Array, Uint8Array, Uint8Array];
  const plate = plateOf(sample);
  const tile = plate.includes('light') ? await makeTile(file, decoding) : whiteTile;
  const logo = bytes ?? webp;
  const facts = { version: versionOf(logo), mime: bytes ? ('image/svg+xml' as const) : ('image/webp' as const), width, height };
  return {
    settings: { logo: { ...facts, plate } },
    action: 'settings.logo_changed',
    store: (queries) => storeSitePictures(queries, { logo, icon, tile }),
  };
}

/** Shows the default logo again; undefined if it is shown already. */
export function withoutLogo(store: SettingsStore): LogoChange | undefined {
  if (!store.current().logo) return undefined;
  return { settings: { logo: null }, action: 'settings.logo_removed', store: removeSitePictures };
}

async function makeTile(file: StagedFile, decoding: Decoding): Promise<Uint8Array> {
  const { versions } = await makeEmblem(file, formatsWith('logo'), { side: TILE.side, fit: 'inside', versions: [DARK_TILE] }, decoding);
  return versions[0] as Uint8Array;
}

/** The bytes of an SVG; undefined for other formats. @throws RequestError `file_too_large` */
async function bytesOfDrawing(file: StagedFile): Promise<Buffer | undefined> {
  const bytes = file.bytes ?? (await readFile(file.path));
  if (sniff(bytes) !== 'svg') return undefined;
  if (bytes.length > MAX_LOGO_SVG_BYTES) throw fileTooLarge(MAX_LOGO_SVG_BYTES);
  // A copy: the upload's memory is freed.
  return Buffer.from(bytes);
}
