import { Badge, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTicket } from '@tabler/icons-react';
import { useState } from 'react';
import type { Invite } from '#api/auth/invites.ts';
import { Facts } from '#renderer/components/layout/facts.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useAsk } from '../ask.tsx';
import { AdminPage } from '../page.tsx';
import { PagedList, usePaged } from '../paged.tsx';
import { useChange } from '../use-change.ts';
import { ClosedNotice } from './closed-notice.tsx';
import { CreateInvite } from './create-invite.tsx';
import { Invitation } from './invitation.tsx';

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
