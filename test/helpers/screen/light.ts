import { i18n } from '#renderer/i18n/t.ts';
import { queryClient, stop } from '#renderer/light/start.tsx';
import { testsOf } from './harness.ts';

/** By the first part of the address, as the service chooses them. */
const PAGES: Record<string, string> = { s: 'share', a: 'album', r: 'request', upload: 'guest' };
let opened = 0;

// A document has the texts of its first page; here, it shows several.
const packs = import.meta.glob<Parameters<typeof i18n.add>[2]>('/renderer/i18n/{en,zh}-{light,entry,guest,request,viewer}.ts', {
  eager: true,
  import: 'texts',
});
for (const [path, texts] of Object.entries(packs)) i18n.add(path.slice('/renderer/i18n/'.length).slice(0, 2), 'translation', texts);

/** Tests of the pages for visitors and guests, which are built with Preact. */
export const test = testsOf(async () => {
  const [, first = ''] = location.pathname.split('/');
  document.documentElement.dataset.mantineColorScheme = 'light';
  // Each of these files starts its page when it is loaded.
  await import(/* @vite-ignore */ `/renderer/light/${PAGES[first] ?? 'entry'}.tsx?opened=${++opened}`);
  return () => {
    stop();
    queryClient.clear();
  };
});
