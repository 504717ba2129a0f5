import { devtools } from './chromium.ts';

/** Closes a window that a page has opened, once the page is past the call: closing it earlier can leave the page waiting forever. */
export async function closePopup(targetId: string) {
  const popup = await devtools().attach(targetId);
  await popup.send('Runtime.runIfWaitingForDebugger');
  await popup.send('Runtime.evaluate', { expression: '0' });
  await devtools().browser.send('Target.closeTarget', { targetId });
}
