import { Alert, Badge, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTicket } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invite } from '#api/auth/invites.ts';
import { Facts } from '#renderer/components/layout/facts.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { QrCode } from '#renderer/components/links/qr-code.tsx';
import { WhoCanOpen } from '#renderer/components/links/who-can-open.tsx';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { ShownOnce } from '#renderer/components/shown-once.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { client } from '#renderer/service/client.ts';
import { isLoopback } from '#renderer/service/compare-addresses.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { useAsk } from '../ask.tsx';
import { AdminPage } from '../page.tsx';
import { PagedList, usePaged } from '../paged.tsx';
import { useChange } from '../use-change.ts';
import { ClosedNotice } from './closed-notice.tsx';
import { CreateInvite } from './create-invite.tsx';

export function InvitesPage() {
  const { t } = useTranslation('admin');
  const [creating, { open, close }] = useDisclosure(false);
  const [url, setUrl] = useState<string>();
  const list = usePaged(['invites'], (cursor, signal) => client.call('GET /admin/invites', { query: { cursor }, signal }));
  return (
    <AdminPage
      title={t('sections.invites')}
      intro={t('invites.intro')}
      action={
        <Button leftSection={<IconPlus size={18} />} onClick={open}>
          {t('invites.create')}
        </Button>
      }
    >
      <ClosedNotice />
      <PagedList
        list={list}
        label={t('sections.invites')}
        empty={
          <EmptyState art={<IconTicket size={48} stroke={1.2} aria-hidden />} title={t('invites.none')} text={t('invites.noneText')} />
        }
      >
        {(invite) => <InviteRow invite={invite} />}
      </PagedList>
      {creating && (
        <CreateInvite
          onClose={close}
          onCreated={(link) => {
            close();
            setUrl(link);
          }}
        />
      )}
      {url && <Invitation url={url} onClose={() => setUrl(undefined)} />}
    </AdminPage>
  );
}

function InviteRow({ invite }: { invite: Invite }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const ask = useAsk();
  const name = invite.note || invite.email || t('invites.unnamed');
  const withdraw = useChange(() => client.call('DELETE /admin/invites/:id', { params: { id: invite.id } }), {
    stale: ['invites', 'audit'],
    done: () => t('invites.withdrawn'),
  });
  const expired = Date.parse(invite.expires_at) <= Date.now();
  const state = invite.used_at ? 'used' : expired ? 'expired' : 'open';
  const facts = [
    invite.email && invite.note && t('invites.onlyFor', { email: invite.email }),
    invite.used_at
      ? t('invites.usedAt', { date: format.moment(invite.used_at) })
      : t(expired ? 'invites.expiredAt' : 'invites.validUntil', { date: format.moment(invite.expires_at) }),
    t('createdAt', { date: format.date(invite.created_at) }),
  ];
  return (
    <li className={shared.row}>
      <div className={shared.rowText}>
        <h2>
          {name}
          <Badge variant={state === 'open' ? 'light' : 'default'} tt="none">
            {t(`invites.states.${state}`)}
          </Badge>
        </h2>
        <Facts facts={facts} />
      </div>
      <Button
        variant="default"
        size="xs"
        aria-label={t('invites.withdrawOne', { name })}
        loading={withdraw.isPending}
        onClick={() =>
          ask({
            title: t('invites.withdrawTitle', { name }),
            text: t('invites.withdrawText'),
            confirm: t('invites.withdraw'),
            onConfirm: () => withdraw.mutate(undefined),
          })
        }
      >
        {t('invites.withdraw')}
      </Button>
    </li>
  );
}

/** A new invite's link and code, at an address that others can open: where there is none, with what makes one. */
function Invitation({ url, onClose }: { url: string; onClose: () => void }) {
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
