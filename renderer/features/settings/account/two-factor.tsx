import { Button, Group, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#api/auth/auth.ts';
import type { TwoFactorOffer, TwoFactorState } from '#api/auth/two-factor.ts';
import { FormDialog } from '#renderer/components/forms/form.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { RecoveryCodes } from '#renderer/components/sign-in/recovery-codes.tsx';
import { TwoFactorSetup } from '#renderer/components/sign-in/two-factor-setup.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useFieldError } from '#renderer/service/field-error.ts';
import { PasswordDialog } from './password-dialog.tsx';

const QUERY = {
  queryKey: ['two-factor'],
  queryFn: ({ signal }: { signal: AbortSignal }) => client.call('GET /user/two-factor', { signal }),
};

type Wish = 'turnOn' | 'move' | 'newCodes' | 'turnOff';

/** Two-factor authentication: its state, and what can be done about it. Everything asks for the password first. */
export function TwoFactor({ user }: { user: User }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data } = useQuery(QUERY);
  const [wish, setWish] = useState<Wish>();
  const [offer, setOffer] = useState<TwoFactorOffer>();
  const [codes, setCodes] = useState<string[]>();
  const close = () => {
    setWish(undefined);
    setOffer(undefined);
  };
  const changed = (newCodes?: string[]) => {
    close();
    setCodes(newCodes);
    void queryClient.invalidateQueries({ queryKey: QUERY.queryKey });
  };
  if (!data) return null;
  return (
    <>
      <Setting title={t('twoFactor.title')} hint={t(user.has_password ? 'twoFactor.hint' : 'twoFactor.noPassword')}>
        {() => <State state={data} hasPassword={user.has_password} onWish={setWish} />}
      </Setting>
      {wish && !offer && <WishDialog user={user} wish={wish} onClose={close} onOffer={setOffer} onChanged={changed} />}
      {offer && <SetupDialog offer={offer} onClose={close} onDone={changed} />}
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  );
}

interface StateProps {
  state: TwoFactorState;
  hasPassword: boolean;
  onWish: (wish: Wish) => void;
}

function State({ state: { enabled_at, recovery_codes_left, required }, hasPassword, onWish }: StateProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const button = (wish: Wish) => (
    <Button variant="default" size="xs" onClick={() => onWish(wish)}>
      {t(`twoFactor.${wish}`)}
    </Button>
  );
  if (enabled_at === null)
    return (
      <div className={classes.value}>
        {t('twoFactor.off')}
        {hasPassword && button('turnOn')}
      </div>
    );
  return (
    <div className={classes.links}>
      <div>
        {t('twoFactor.on', { date: format.date(enabled_at) })}
        <p className={shared.facts}>{t('twoFactor.left', { count: recovery_codes_left })}</p>
        {required && <p className={shared.facts}>{t('twoFactor.required')}</p>}
      </div>
      <div className={classes.buttons}>
        {button('newCodes')}
        {button('move')}
        {!required && button('turnOff')}
      </div>
    </div>
  );
}

interface WishProps {
  user: User;
  wish: Wish;
  onClose: () => void;
  onOffer: (offer: TwoFactorOffer) => void;
  onChanged: (codes?: string[]) => void;
}

/** Asks for the password, then does what the user asked for, or starts it. */
function WishDialog({ user, wish, onClose, onOffer, onChanged }: WishProps) {
  const { t } = useTranslation();
  const fulfil = async (current_password: string | undefined) => {
    const body = { current_password };
    if (wish === 'newCodes') onChanged((await client.call('POST /user/two-factor/recovery-codes', { body })).recovery_codes);
    else if (wish === 'turnOff') {
      await client.call('POST /user/two-factor/disable', { body });
      notifications.show({ color: 'petrol.7', title: t('twoFactor.turnedOff'), message: undefined, autoClose: 3000 });
      onChanged();
    } else onOffer(await client.call('POST /user/two-factor', { body }));
  };
  return (
    <PasswordDialog
      user={user}
      title={t(wish === 'turnOn' ? 'twoFactor.setUpTitle' : `twoFactor.${wish}`)}
      submit={t(wish === 'turnOff' ? 'twoFactor.turnOff' : 'twoFactor.continue')}
      text={wish === 'turnOn' ? undefined : t(`twoFactor.${wish}Text`)}
      onConfirm={fulfil}
      onClose={onClose}
    />
  );
}

function SetupDialog({ offer, onClose, onDone }: { offer: TwoFactorOffer; onClose: () => void; onDone: (codes: string[]) => void }) {
  const { t } = useTranslation();
  const enable = useMutation({
    mutationFn: (code: string) => client.call('PUT /user/two-factor', { body: { offer: offer.offer, code } }),
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
    gcTime: 0,
  });
  const fault = useFieldError(enable.error);
  const [code, setCode] = useState('');
  return (
    <FormDialog
      title={t('twoFactor.setUpTitle')}
      submit={t('twoFactor.turnOn')}
      change={enable}
      changed={false}
      onClose={onClose}
      onSubmit={() => enable.mutate(code)}
    >
      <TwoFactorSetup offer={offer} error={fault('code')} onCode={setCode} />
    </FormDialog>
  );
}

/** Only its button closes it, so that a stray click doesn't lose the codes. */
function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={t('twoFactor.codesTitle')}
    >
      <RecoveryCodes codes={codes} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('twoFactor.codesSaved')}
        </Button>
      </Group>
    </Modal>
  );
}
