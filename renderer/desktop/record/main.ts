import { desktopBridge } from '#renderer/platform/bridge.ts';
import { showBar } from './bar.ts';
import { element } from './dom.ts';
import { showRegion } from './region.ts';
import { showSources } from './sources.ts';

// The pages of recordings: the bar, which also films, and the windows in which the user chooses. Main says what they show.

/** Resolves to what begins to film, in the bar. */
async function start() {
  const bridge = desktopBridge();
  if (!bridge) throw new Error('This page belongs to the desktop app.');
  const name = location.hash.slice(1);
  const view = await bridge.getRecorder(name);
  if (!view) return undefined;
  document.documentElement.lang = view.texts.htmlLang ?? 'en';
  element(view.shows).hidden = false;
  if (view.shows === 'bar') return showBar(bridge, view);
  if (view.shows === 'region') showRegion(bridge, name, view);
  else showSources(bridge, view);
  return undefined;
}

const started = start();
// Main calls it as if the user had just done something here.
Object.assign(window, { openFilm: async () => (await started)?.() });
