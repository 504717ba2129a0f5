import type { MenuItemConstructorOptions } from 'electron';
import type { JoinedHost } from '#api/desktop/joining.ts';
import { serverName } from '#main/joining/joined-account.ts';
import type { Texts } from '#main/texts/en.ts';

/** The joined host, as the tray shows it. */
export type HostState = Pick<JoinedHost, 'name' | 'state'>;

/** The same for the menu. */
export function hostState(host: Pick<JoinedHost, 'name' | 'url' | 'state'>): HostState {
  return { name: serverName(host), state: host.state };
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
