import { useMemo, useSyncExternalStore } from 'react';

// What the web application and the light pages use of i18next and react-i18next, which take 13 KB where this takes one. The builds put it in
// their place (vite.config.ts, vite.light.config.ts; decisions 068 and 132); a test compares it with them on every text.

type Texts = { readonly [key: string]: string | Texts };
type Values = Readonly<Record<string, unknown>>;

/** By language and namespace. */
const bundles = new Map<string, Texts>();
const listeners = new Set<() => void>();
let version = 0;

function announce(): void {
  version += 1;
  for (const listener of listeners) listener();
}

const DEFAULT = 'translation';

/** The text of a key such as `share.views`, with `{{values}}` filled in; in the plural form that `count` requires, where there are several. */
const t = (key: string, values?: Values) => translate(DEFAULT, key, values);

function translate(namespace: string, key: string, values: Values = {}): string {
  const { count, defaultValue = key } = values;
  const plural = typeof count === 'number' ? `_${new Intl.PluralRules(i18next.language).select(count)}` : '';
  const text = (plural ? textOf(namespace, `${key}${plural}`) : undefined) ?? textOf(namespace, key) ?? String(defaultValue);
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
}

const idOf = (language: string, namespace: string) => `${language}/${namespace}`;

function textOf(namespace: string, key: string): string | undefined {
  let found: string | Texts | undefined = bundles.get(idOf(i18next.language, namespace));
  for (const part of key.split('.')) found = typeof found === 'object' ? found[part] : undefined;
  return typeof found === 'string' ? found : undefined;
}

const i18next = {
  language: 'en',
  t,
  /** A function for the texts of a namespace, in the language at that time; the first parameter is i18next's. */
  getFixedT:
    (_language: null, namespace = DEFAULT) =>
    (key: string, values?: Values) =>
      translate(namespace, key, values),
  use: () => i18next,
  async init({ lng }: { lng: string }) {
    i18next.language = lng;
  },
  hasResourceBundle: (language: string, namespace = DEFAULT) => bundles.has(idOf(language, namespace)),
  /** Adds top-level sections to those that are there. */
  addResourceBundle(language: string, namespace: string, texts: Texts) {
    const id = idOf(language, namespace);
    bundles.set(id, { ...bundles.get(id), ...texts });
    return i18next;
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

export function useTranslation(namespace = DEFAULT) {
  const now = useSyncExternalStore(subscribe, () => version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function for new texts, so that what depends on it is made again
  return useMemo(
    () => ({
      t: i18next.getFixedT(null, namespace),
      i18n: { language: i18next.language, addResourceBundle: i18next.addResourceBundle },
    }),
    [now, namespace],
  );
}
