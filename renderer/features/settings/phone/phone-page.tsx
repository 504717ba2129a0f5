import { Alert, Button, Group, Loader, Skeleton, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconClockOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { PhoneState } from '#api/auth/phones.ts';
import { QrCode } from '#renderer/components/links/qr-code.tsx';
import { LoadError } from '#renderer/components/notices/notice.tsx';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { isLoopback } from '#renderer/service/compare-addresses.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import classes from './phone.module.css';
import { codeQuery, phoneQuery } from './phone.ts';
import { PhoneQuestion } from './phone-question.tsx';

/** Shows a one-time QR code, and asks about the phone that has scanned it. */
export function PhonePage() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const code = useQuery(codeQuery);
  const phone = useQuery({ ...phoneQuery(code.data?.code ?? ''), enabled: code.data !== undefined });
  const state = phone.data?.state;
  useEffect(() => {
    if (state === 'connected') void queryClient.invalidateQueries({ queryKey: ['tokens'] });
  }, [state, queryClient]);
  return (
    <div>
      <Text c="dimmed" size="sm" maw="60ch">
        {t('phones.intro')}
      </Text>
      <div className={classes.place} aria-live="polite">
        {code.isPending && <Skeleton className={classes.code ?? ''} />}
        {code.isError && <LoadError error={code.error} onRetry={() => code.refetch()} />}
        {code.data && <Phone code={code.data} phone={phone.data} onAgain={() => code.refetch()} />}
        {phone.isError && !phone.data && <LoadError error={phone.error} onRetry={() => phone.refetch()} />}
      </div>
    </div>
  );
}

interface Props {
  code: { code: string; url: string };
  phone: PhoneState | undefined;
  onAgain: () => void;
}

function Phone({ code, phone, onAgain }: Props) {
  const { t } = useTranslation();
  const again = (
    <Button mt="md" variant="default" onClick={onAgain}>
      {t('phones.again')}
    </Button>
  );
  switch (phone?.state) {
    case undefined:
    case 'waiting':
      return <Scan url={code.url} />;
    case 'asking':
      return <PhoneQuestion code={code.code} phone={phone} />;
    case 'approved':
      return (
        <Outcome art={<Loader size={28} />} title={t('phones.fetching', { name: phone.name })}>
          {null}
        </Outcome>
      );
    case 'connected':
      return (
        <Outcome art={<IconCircleCheck size={32} stroke={1.4} />} title={t('phones.connected', { name: phone.name })}>
          <Text c="dimmed">{t('phones.connectedText')}</Text>
          <Group mt="md">
            <Button variant="default" renderRoot={(props) => <Link to="/settings/tokens" {...props} />}>
              {t('connect.toTokens')}
            </Button>
            <Button variant="default" onClick={onAgain}>
              {t('phones.another')}
            </Button>
          </Group>
        </Outcome>
      );
    case 'denied':
      return (
        <Outcome art={<IconCircleX size={32} stroke={1.4} />} title={t('phones.denied', { name: phone.name })}>
          <Text c="dimmed">{t('connect.deniedText')}</Text>
          {again}
        </Outcome>
      );
    case 'expired':
      return (
        <Outcome art={<IconClockOff size={32} stroke={1.4} />} title={t('phones.expired')}>
          <Text c="dimmed">{t('phones.expiredText')}</Text>
          {again}
        </Outcome>
      );
  }
}

function Outcome({ art, title, children }: { art: ReactNode; title: string; children: ReactNode }) {
  return (
    <section className={classes.outcome}>
      <span className={classes.art} aria-hidden="true">
        {art}
      </span>
      <div>
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  );
}

/** Where only this computer can open the link address, the address of this page, if a phone can. */
function Scan({ url }: { url: string }) {
  const { t } = useTranslation();
  const { origin, pathname, hash } = new URL(url);
  const address = isLoopback(origin) && !isLoopback(location.origin) ? location.origin : origin;
  if (isLoopback(address)) return <Unreachable address={address} />;
  return (
    <div className={classes.scan}>
      <QrCode text={address + pathname + hash} label={t('phones.qr', { address })} />
      <ul>
        <li>{t('phones.scan')}</li>
        <li>{t('phones.reach', { address })}</li>
        <li>{t('phones.once')}</li>
      </ul>
    </div>
  );
}

function Unreachable({ address }: { address: string }) {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const isDesktop = desktopBridge() !== undefined;
  const mayChange = session?.user?.role === 'admin';
  const [remedy, to, open] = isDesktop
    ? (['phones.localDesktop', { to: '/settings/computer', hash: 'network' }, 'phones.toComputer'] as const)
    : mayChange
      ? (['phones.localAdmin', { to: '/admin/$section', params: { section: 'settings' } }, 'phones.toSettings'] as const)
      : (['phones.localServer'] as const);
  return (
    <Alert color="yellow" title={t('phones.local', { address })}>
      <Text size="sm">{joinSentences(t('phones.localText'), t(remedy))}</Text>
      {open && (
        <Button mt="sm" size="compact-sm" variant="default" renderRoot={(props) => <Link {...to} {...props} />}>
          {t(open)}
        </Button>
      )}
    </Alert>
  );
}
