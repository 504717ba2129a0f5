import { RequestPage } from '#renderer/features/request/request-page.tsx';
import type { LanguagePacks } from '#renderer/language/language.ts';
import { start } from './start.tsx';

const TEXTS: LanguagePacks = {
  en: async () => (await import('#renderer/i18n/en-request.ts')).texts,
  zh: async () => (await import('#renderer/i18n/zh-request.ts')).texts,
};

const [, , id = '', part, file] = location.pathname.split('/').map(decodeURIComponent);

void start(() => <RequestPage id={id} removing={part === 'remove' ? file : undefined} />, TEXTS);
