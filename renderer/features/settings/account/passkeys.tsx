import { Button, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#api/auth/auth.ts';
import type { Passkey } from '#api/auth/passkeys.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { Facts } from '#renderer/components/layout/facts.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { canUsePasskeys, createPasskey, isRefusal } from '#renderer/service/passkeys.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { CurrentPassword } from './current-password.tsx';
import { PasswordDialog } from './password-dialog.tsx';

const QUERY = {
  queryKey: ['passkeys'],
  queryFn: ({ signal }: { signal: AbortSignal }) => client.call('GET /user/passkeys', { signal }),
};

function useRefresh() {
  const queryClient = useQueryClient();
  return () => Promise.all([QUERY, configQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })));
}

/** The passkeys of the account; adding one only where browsers offer them. */
export function Passkeys({ user }: { user: User }) {
  const { t } = useTranslation();
  const { data } = useQuery(QUERY);
  const [adding, setAdding] = useState(false);
  if (!data) return null;
  const possible = data.available && canUsePasskeys();
  return (
    <>
      <Setting title={t('passkeys.title')} hint={t('passkeys.hint')}>
        {() => (
          <div className={classes.links}>
            {data.passkeys.map((passkey) => (
              <Row key={passkey.id} user={user} passkey={passkey} />
            ))}
            {possible ? (
              <Button variant="default" size="xs" onClick={() => setAdding(true)}>
                {t('passkeys.add')}
              </Button>
            ) : (
              <Text size="sm">{t('passkeys.unavailable')}</Text>
            )}
          </div>
        )}
      </Setting>
      {adding && <AddDialog user={user} onClose={() => setAdding(false)} />}
    </>
  );
}

function Row({ user, passkey }: { user: User; passkey: Passkey }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const close = () => setOpen(undefined);
  const { name, host, created_at, last_used_at } = passkey;
  const facts = [
    host,
    t('passkeys.added', { date: format.date(created_at) }),
    last_used_at && t('passkeys.used', { date: format.date(last_used_at) }),
  ];
  return (
    <div>
      <div className={shared.rowText}>
        {name}
        <Facts facts={facts} />
      </div>
      <div className={classes.buttons}>
        <Button variant="default" size="xs" mt={6} aria-label={t('passkeys.renameOne', { name })} onClick={() => setOpen('rename')}>
          {t('passkeys.rename')}
        </Button>
        <Button variant="default" size="xs" mt={6} aria-label={t('passkeys.removeOne', { name })} onClick={() => setOpen('remove')}>
          {t('passkeys.remove')}
        </Button>
      </div>
      {open === 'rename' && <RenameDialog passkey={passkey} onClose={close} />}
      {open === 'remove' && <RemoveDialog user={user} passkey={passkey} onClose={close} />}
    </div>
  );
}

function RemoveDialog({ user, passkey: { id, name }, onClose }: { user: User; passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation();
  const refresh = useRefresh();
  const remove = async (current_password: string | undefined) => {
    await client.call('DELETE /user/passkeys/:id', { params: { id }, body: { current_password } });
    notifications.show({ color: 'petrol.7', title: t('passkeys.removed'), message: undefined, autoClose: 3000 });
    await refresh();
    onClose();
  };
  return (
    <PasswordDialog
      user={user}
      title={t('passkeys.removeTitle', { name })}
      submit={t('passkeys.remove')}
      danger
      text={t('passkeys.removeText')}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

function AddDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const refresh = useRefresh();
  const add = useMutation({
    mutationFn: async ({ current_password, ...entered }: { name: string; current_password: string }) => {
      const name = entered.name.trim() || t('passkeys.defaultName');
      const body = { current_password: user.has_password ? current_password : undefined };
      const { options, ticket } = await client.call('POST /user/passkeys/options', { body });
      const credential = await createPasskey(options);
      return client.call('POST /user/passkeys', { body: { name, ticket, credential } });
    },
    onSuccess: async () => {
      await refresh();
      onClose();
    },
    // Keep passwords out of the cache.
    gcTime: 0,
  });
  const refused = isRefusal(add.error);
  const { draft, changed, text } = useDraft({ name: '', current_password: '' }, add.error);
  return (
    <FormDialog
      title={t('passkeys.add')}
      submit={t('twoFactor.continue')}
      change={{ isPending: add.isPending, error: refused ? null : add.error }}
      changed={changed && !add.isSuccess}
      onClose={onClose}
      onSubmit={() => add.mutate(draft)}
    >
      {refused && <ErrorNotice explanation={explain(add.error, 'passkey_unused')} />}
      <TextInput
        label={t('passkeys.name')}
        description={t('passkeys.nameHint')}
        placeholder={t('passkeys.defaultName')}
        maxLength={100}
        data-autofocus
        {...text('name')}
      />
      <CurrentPassword user={user} {...text('current_password')} />
    </FormDialog>
  );
}

function RenameDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation();
  const refresh = useRefresh();
  const rename = useMutation({
    mutationFn: (body: { name: string }) => client.call('PATCH /user/passkeys/:id', { params: { id }, body }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  const { draft, changed, text } = useDraft({ name }, rename.error);
  return (
    <FormDialog
      title={t('passkeys.renameTitle')}
      submit={t('profile.save')}
      change={rename}
      changed={changed && !rename.isSuccess}
      onClose={onClose}
      onSubmit={() => rename.mutate(draft)}
    >
      <TextInput label={t('passkeys.name')} maxLength={100} data-autofocus {...text('name')} />
    </FormDialog>
  );
}
