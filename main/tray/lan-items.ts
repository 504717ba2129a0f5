import type { MenuItemConstructorOptions } from 'electron';
import type { LanStatus } from '#api/desktop/lan.ts';
import type { Texts } from '#main/texts/en.ts';
import { checkbox } from './more-items.ts';

interface LanActions {
  setLan(on: boolean): void;
  showLanCode(): void;
}

/** Whether sharing needs the user's attention. */
export const hasLanProblem = ({ reach, missing }: LanStatus) => missing !== null || reach === 'unreached';

/** Sharing on the local network: its state, with the switch and the QR code below. */
export function lanItems({ lan }: { lan: LanStatus }, texts: Texts, actions: LanActions): MenuItemConstructorOptions[] {
  const { on, fixed, reach } = lan;
  const isOpen = on && reach !== 'starting' && reach !== 'noNetwork';
  const code = { label: texts.lanCode, enabled: isOpen, click: actions.showLanCode };
  const share = checkbox(texts.lanShare, on, !fixed.host, () => actions.setLan(!on));
  return [{ label: stateOf(lan, texts), submenu: [share, code] }];
}

function stateOf({ reach, reachedBy, missing }: LanStatus, texts: Texts): string {
  if (missing !== null) return texts.lanMissing(missing);
  const labels = {
    off: texts.lanOff,
    starting: texts.lanStarting,
    noNetwork: texts.lanNoNetwork,
    unconfirmed: texts.lanUnconfirmed,
    unreached: texts.lanUnreached,
    reached: texts.lanReached(reachedBy ?? ''),
  };
  return labels[reach];
}
