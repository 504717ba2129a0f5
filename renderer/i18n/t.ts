import { useMemo, useSyncExternalStore } from 'react';
import type { desktop } from '#texts/en/desktop/desktop.ts';
import type { edit } from '#texts/en/desktop/edit.ts';
import type { editor } from '#texts/en/editor.ts';
import type { en } from './en.ts';
import type { en as admin } from './en-admin.ts';
import type { texts as entry } from './en-entry.ts';
import type { texts as request } from './en-request.ts';

// What pages need of i18next, which takes 13 KB where this takes one (decisions 068 and 132); a test compares the two on every text.

/** All texts, by namespace. */
interface Namespaces {
  translation: typeof en & Pick<typeof request, 'sending'> & Pick<typeof entry, 'phone' | 'welcome'>;
  admin: typeof admin;
  desktop: typeof desktop;
  editor: typeof editor;
  edit: typeof edit;
}
type Namespace = keyof Namespaces;

type OrPlural<Key extends string> = Key | (Key extends `${infer Start}_${'one' | 'other'}` ? Start : never);
type KeysOf<T, Before extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Before}${OrPlural<K>}` : KeysOf<T[K], `${Before}${K}.`>;
}[keyof T & string];

type Texts = { readonly [key: string]: string | Texts };
type Values = Readonly<Record<string, unknown>>;

/**
 * The text of a key such as `share.views`, with `{{values}}` filled in; in the plural form that `count` requires, where there are several. An unknown key is its own
 * text, unless the values have a `defaultValue`.
 */
export interface TFunction<N extends Namespace = 'translation'> {
  (key: KeysOf<Namespaces[N]>, values?: Values): string;
  (key: string, values: Values & { readonly defaultValue: string }): string;
}

/** By language and namespace. */
const bundles = new Map<string, Texts>();
const listeners = new Set<() => void>();
let version = 0;

const idOf = (language: string, namespace: Namespace) => `${language}/${namespace}`;

function textOf(namespace: Namespace, key: string): string | undefined {
  let found: string | Texts | undefined = bundles.get(idOf(i18n.language, namespace));
  for (const part of key.split('.')) found = typeof found === 'object' ? found[part] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** The language of the page, and its texts. */
export const i18n = {
  language: 'en',
  /** A function for the texts of a namespace, in the language at the time of each call. */
  getT<N extends Namespace>(namespace: N): TFunction<N> {
    return (key: string, values: Values = {}) => {
      const { count, defaultValue = key } = values;
      const plural = typeof count === 'number' ? `_${new Intl.PluralRules(i18n.language).select(count)}` : '';
      const text = (plural ? textOf(namespace, `${key}${plural}`) : undefined) ?? textOf(namespace, key) ?? String(defaultValue);
      return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
    };
  },
  has: (language: string, namespace: Namespace) => bundles.has(idOf(language, namespace)),
  /** Adds top-level sections to those that are there. */
  add(language: string, namespace: Namespace, texts: Texts) {
    const id = idOf(language, namespace);
    bundles.set(id, { ...bundles.get(id), ...texts });
    return i18n;
  },
  /** Also shows what was added since. */
  changeLanguage(language: string) {
    i18n.language = language;
    version += 1;
    for (const listener of listeners) listener();
  },
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The texts of a namespace; the component is rendered again when the language changes. */
export function useTranslation<N extends Namespace = 'translation'>(namespace = 'translation' as N): { t: TFunction<N>; language: string } {
  const now = useSyncExternalStore(subscribe, () => version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function for new texts, so that what depends on it is made again
  return useMemo(() => ({ t: i18n.getT(namespace), language: i18n.language }), [now, namespace]);
}
