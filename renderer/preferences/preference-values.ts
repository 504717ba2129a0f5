import { WEB_LINK_FORMATS, type WebLinkFormat } from '#api/sharing/link-formats.ts';

export const LANGUAGES = ['auto', 'en', 'zh'] as const;
export type LanguageChoice = (typeof LANGUAGES)[number];
export const TIMELINES = ['uploaded_desc', 'uploaded_asc', 'taken_desc', 'taken_asc', 'name_asc', 'size_desc'] as const;
export type Timeline = (typeof TIMELINES)[number];
const DENSITIES = ['small', 'medium', 'large'] as const;
export type Density = (typeof DENSITIES)[number];
const LAYOUTS = ['grid', 'list'] as const;
export type PictureLayout = (typeof LAYOUTS)[number];

/** The options of a user's uploads in this browser. */
export interface StoredOptions {
  user: number;
  fields: Partial<Record<OptionField, string>>;
}
const OPTION_FIELDS = ['visibility', 'expires_in', 'max_views', 'album_id', 'albums', 'convert', 'tags'] as const;
type OptionField = (typeof OPTION_FIELDS)[number];

/** The preferences stored in this browser. Mantine stores the colour scheme itself. */
export interface Preferences {
  language: LanguageChoice;
  /** For guests; users have one in their account. */
  linkFormat: WebLinkFormat;
  copyAfterUpload: boolean;
  /** Whether to ask for options before each upload. */
  askOptions: boolean;
  uploadOptions: StoredOptions | null;
  timeline: Timeline;
  density: Density;
  layout: PictureLayout;
  /** The last pair of page and link address whose difference the user accepted; empty: none. */
  keptAddresses: string;
}

export const DEFAULTS: Preferences = {
  language: 'auto',
  linkFormat: 'url',
  copyAfterUpload: true,
  askOptions: false,
  uploadOptions: null,
  timeline: 'uploaded_desc',
  density: 'medium',
  layout: 'grid',
  keptAddresses: '',
};

const oneOf = <T extends string>(values: readonly T[], value: unknown, fallback: T): T =>
  values.find((candidate) => candidate === value) ?? fallback;

/** Reads stored preferences, possibly of another version or edited by hand; invalid values fall back to the defaults. */
export function parsePreferences(text: string | null): Preferences {
  let stored: Partial<Record<keyof Preferences, unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (parsed && typeof parsed === 'object') stored = parsed;
  } catch {
    // Invalid JSON: use the defaults.
  }
  return {
    language: oneOf(LANGUAGES, stored.language, DEFAULTS.language),
    linkFormat: oneOf(WEB_LINK_FORMATS, stored.linkFormat, DEFAULTS.linkFormat),
    copyAfterUpload: typeof stored.copyAfterUpload === 'boolean' ? stored.copyAfterUpload : DEFAULTS.copyAfterUpload,
    askOptions: stored.askOptions === true,
    uploadOptions: optionsIn(stored.uploadOptions),
    timeline: oneOf(TIMELINES, stored.timeline, DEFAULTS.timeline),
    density: oneOf(DENSITIES, stored.density, DEFAULTS.density),
    layout: oneOf(LAYOUTS, stored.layout, DEFAULTS.layout),
    keptAddresses: typeof stored.keptAddresses === 'string' ? stored.keptAddresses : DEFAULTS.keptAddresses,
  };
}

function optionsIn(value: unknown): StoredOptions | null {
  const { user, fields } = (value ?? {}) as { user?: unknown; fields?: Record<string, unknown> };
  if (typeof user !== 'number' || typeof fields !== 'object' || !fields) return null;
  const valid = OPTION_FIELDS.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : []));
  return { user, fields: Object.fromEntries(valid) };
}
