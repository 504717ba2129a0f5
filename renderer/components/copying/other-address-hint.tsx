import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { OtherAddress } from '#renderer/service/compare-addresses.ts';

/** Says that copied links start with another address. Where others may well reach that address, the user can turn this off. */
export function OtherAddressHint({ other, onKeep }: { other: OtherAddress; onKeep: () => void }) {
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
