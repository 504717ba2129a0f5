import { Button, Menu, Modal, Stack } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { type AskedExpiry, askedExpiry, expiryProblem } from '#renderer/components/forms/expiries.ts';
import { ExactExpiry, suggestedExpiry } from '#renderer/components/forms/expiry-field.tsx';
import { FormActions } from '#renderer/components/forms/form-actions.tsx';
import { useExpiryChoices, useExpiryText, useMaxExpiry } from '#renderer/components/forms/use-expiry.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { ICON, menuButton } from './menu-button.ts';

/** Sets when the selected images expire: after a period, or at a date and time, for which it asks. */
export function ExpiryMenu({ refusal, onChange }: { refusal?: string | undefined; onChange: (expiry: AskedExpiry) => void }) {
  const { t } = useTranslation();
  const choices = useExpiryChoices();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button {...menuButton(t('selection.expires'), <IconClock {...ICON} />, refusal)}>{t('selection.expires')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {choices.map(({ value, label }) => (
            <Menu.Item key={value} onClick={() => onChange({ expires_in: Number(value) })}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setAsking(true)}>{t('expiry.exact')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking && <ExactDialog onClose={() => setAsking(false)} onChange={onChange} />}
    </>
  );
}

function ExactDialog({ onClose, onChange }: { onClose: () => void; onChange: (expiry: AskedExpiry) => void }) {
  const { t } = useTranslation();
  const max = useMaxExpiry();
  const textFor = useExpiryText();
  const [value, setValue] = useState(() => suggestedExpiry(max));
  const asked = expiryProblem(value, max) ? undefined : askedExpiry(value);
  const save = () => {
    if (!asked) return;
    onClose();
    onChange(asked);
  };
  return (
    <Modal opened onClose={onClose} title={t('expiry.set')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          <ExactExpiry value={value} onChange={setValue} max={max} description={textFor()} fields={{ 'data-autofocus': true }} />
          <FormActions submit={t('expiry.set')} onClose={onClose} disabled={!asked} />
        </Stack>
      </form>
    </Modal>
  );
}
