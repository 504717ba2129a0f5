import type { MenuItemConstructorOptions } from 'electron';
import type { JoinedHost } from '#api/desktop/joining.ts';
import type { Texts } from '#main/texts/en.ts';

/** The joined host, as the tray shows it. */
export type HostState = Pick<JoinedHost, 'name' | 'state'>;

/** What a server is called that has no name of its own. */
const UNNAMED = 'Pixdock';

/** The same for the menu, where a server without a name of its own is called by its address: the app has the same name. */
export function hostState({ name, url, state }: Pick<JoinedHost, 'name' | 'url' | 'state'>): HostState {
  return { name: name === UNNAMED ? new URL(url).host : name, state };
}

interface Actions {
  /** Shows the window, which offers to connect again. */
  open(): void;
  openHost(): void;
}

/** The state of the joined host as one line. */
export function hostSentence({ name, state }: HostState, texts: Texts): string {
  if (state === 'revoked') return texts.hostRefuses(name);
  return state === 'ready' ? texts.joinedTo(name) : texts.hostWaiting(name);
}

export function hostItems(host: HostState, texts: Texts, actions: Actions): MenuItemConstructorOptions[] {
  const label = (text: string) => text.replaceAll('&', '&&');
  const line = { label: label(hostSentence(host, texts)), enabled: false };
  const open = { label: label(texts.openHost(host.name)), click: actions.openHost };
  return host.state === 'revoked' ? [line, { label: texts.connectAgain, click: actions.open }, open] : [line, open];
}
