import { queryClient, stop } from '#renderer/light/start.tsx';
import { testsOf } from './harness.ts';

/** By the first part of the address, as the service chooses them. */
const PAGES: Record<string, string> = { s: 'share', a: 'album', r: 'request', upload: 'guest' };
let opened = 0;

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
