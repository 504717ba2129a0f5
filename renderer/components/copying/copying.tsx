import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconWorldOff } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { copyText } from '#renderer/platform/clipboard.ts';
import { setPreferences } from '#renderer/preferences/preferences.ts';
import { type OtherAddress, pairOf } from '#renderer/service/compare-addresses.ts';
import { load } from '#renderer/service/connection.ts';
import { useOtherAddress } from '#renderer/service/other-address.ts';
import { type Copy, CopyContext } from './copy-context.ts';

const CopyByHand = lazy(() => load(() => import('./copy-by-hand.tsx')).then((module) => ({ default: module.CopyByHand })));

export function CopyProvider({ children }: { children: ReactNode }) {
  const [byHand, setByHand] = useState<string>();
  const warn = useAddressWarning();
  const copy = useCallback<Copy>(
    async (text, { quiet = false } = {}) => {
      const copied = await copyText(text);
      if (copied) warn(text);
      else if (!quiet) setByHand(text);
      return copied;
    },
    [warn],
  );
  return (
    <CopyContext value={copy}>
      {children}
      {byHand !== undefined && (
        <Suspense>
          <CopyByHand text={byHand} onClose={() => setByHand(undefined)} />
        </Suspense>
      )}
    </CopyContext>
  );
}

const WARNING = 'other-address';

/** Returns a function that says so when a copied text has links that start with an address other than the one the user knows works. */
function useAddressWarning(): (text: string) => void {
  const other = useOtherAddress();
  const latest = useRef(other);
  latest.current = other;
  return useCallback((text: string) => {
    const found = latest.current;
    if (!found || !text.includes(found.links)) return;
    const keep = () => {
      notifications.hide(WARNING);
      setPreferences({ keptAddresses: pairOf(found) });
    };
    notifications.show({
      id: WARNING,
      message: <OtherAddressHint other={found} onKeep={keep} />,
      icon: <IconWorldOff size={18} />,
      color: 'orange.8',
      autoClose: 12_000,
    });
  }, []);
}

/** Says that copied links start with another address. Where others may well reach that address, the user can turn this off. */
function OtherAddressHint({ other, onKeep }: { other: OtherAddress; onKeep: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      {t(other.local ? 'address.copiedLocal' : 'address.copiedOther', { links: other.links })}
      {!other.local && (
        <>
          <br />
          <Button size="compact-sm" variant="light" mt={6} onClick={onKeep}>
            {t('address.quiet')}
          </Button>
        </>
      )}
    </>
  );
}
