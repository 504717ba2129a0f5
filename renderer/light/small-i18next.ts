import { useMemo, useSyncExternalStore } from 'react';

// What the light pages use of i18next and react-i18next, which take 13 KB where this takes one. The build puts it in their place
// (vite.light.config.ts, decision 068); a test compares it with them on every text.

type Texts = { readonly [key: string]: string | Texts };
type Values = Readonly<Record<string, unknown>>;

const bundles = new Map<string, Texts>();
const listeners = new Set<() => void>();
let version = 0;

function announce(): void {
  version += 1;
  for (const listener of listeners) listener();
}

/** The text of a key such as `share.views`, with `{{values}}` filled in; in the plural form that `count` requires, where there are several. */
function t(key: string, values: Values = {}): string {
  const { count, defaultValue = key } = values;
  const plural = typeof count === 'number' ? `_${new Intl.PluralRules(i18next.language).select(count)}` : '';
  const text = (plural ? textOf(`${key}${plural}`) : undefined) ?? textOf(key) ?? String(defaultValue);
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
}

function textOf(key: string): string | undefined {
  let found: string | Texts | undefined = bundles.get(i18next.language);
  for (const part of key.split('.')) found = typeof found === 'object' ? found[part] : undefined;
  return typeof found === 'string' ? found : undefined;
}

const i18next = {
  language: 'en',
  t,
  use: () => i18next,
  async init({ lng }: { lng: string }) {
    i18next.language = lng;
  },
  hasResourceBundle: (language: string) => bundles.has(language),
  /** Adds top-level sections to those that are there. */
  addResourceBundle(language: string, _namespace: string, texts: Texts) {
    bundles.set(language, { ...bundles.get(language), ...texts });
  },
  async changeLanguage(language: string) {
    i18next.language = language;
    announce();
  },
};
export default i18next;

/** Connects react-i18next; here, both are one. */
export const initReactI18next = undefined;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useTranslation() {
  const now = useSyncExternalStore(subscribe, () => version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function for new texts, so that what depends on it is made again
  return useMemo(
    () => ({
      t: (key: string, values?: Values) => t(key, values),
      i18n: { language: i18next.language, addResourceBundle: i18next.addResourceBundle },
    }),
    [now],
  );
}
