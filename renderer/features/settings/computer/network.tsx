import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NetworkSharing } from '#renderer/network/network-sharing.tsx';
import { Setting } from '../setting.tsx';
import type { SectionProps } from './section.ts';

/** The tray opens the page with this part of the address, to show the QR code. */
const ANCHOR = '#network';

/** Sharing on the local network. */
export function Network({ bridge, change }: Pick<SectionProps, 'bridge' | 'change'>) {
  const { t } = useTranslation();
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (location.hash === ANCHOR) start.current?.scrollIntoView();
  }, []);
  return (
    <>
      <div ref={start} />
      <Setting title={t('network.title')} hint={t('network.hint')}>
        {(label) => <NetworkSharing bridge={bridge} labelledBy={label} share={(lan) => change({ lan })} />}
      </Setting>
    </>
  );
}
