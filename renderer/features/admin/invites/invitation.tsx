import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { QrCode } from '#renderer/components/links/qr-code.tsx';
import { WhoCanOpen } from '#renderer/components/links/who-can-open.tsx';
import { ShownOnce } from '#renderer/components/shown-once.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { isLoopback } from '#renderer/service/compare-addresses.ts';
import { configQuery } from '#renderer/service/queries.ts';

/** A new invite's link and code, at an address that others can open: where there is none, with what makes one. */
export function Invitation({ url, onClose }: { url: string; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const { t: tApp } = useTranslation();
  // Follows the desktop app's sharing while the dialog is open.
  const { data: config } = useQuery(configQuery);
  const { origin, pathname, search } = new URL(url);
  const links = config?.base_url ?? origin;
  const address = isLoopback(links) && !isLoopback(location.origin) ? location.origin : links;
  const link = address + pathname + search;
  return (
    <ShownOnce
      title={t('invites.onceTitle')}
      text={t('invites.onceText')}
      secret={link}
      label={t('invites.copy')}
      done={t('stored')}
      onClose={onClose}
    >
      {isLoopback(address) ? (
        <Alert color="yellow" mt="md" title={tApp('phones.localText')}>
          {desktopBridge() ? <WhoCanOpen text={link} /> : <Text size="sm">{t('invites.localServer')}</Text>}
        </Alert>
      ) : (
        <>
          <Text size="sm" mt="md" mb="sm">
            {t('invites.scan', { address })}
          </Text>
          <QrCode text={link} label={t('invites.code', { address })} />
        </>
      )}
    </ShownOnce>
  );
}
