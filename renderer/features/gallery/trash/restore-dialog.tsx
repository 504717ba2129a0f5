import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type AskedExpiry, askedExpiry, expiryProblem } from '#renderer/components/forms/expiries.ts';
import { ExpiryField } from '#renderer/components/forms/expiry-field.tsx';
import { useExpiryChoices, useMaxExpiry } from '#renderer/components/forms/use-expiry.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';

interface Props {
  /** The number of images to restore, and how many of them have expired. */
  count: number;
  expired: number;
  onClose: () => void;
  /** Called with when they expire again. */
  onRestore: (expiry: AskedExpiry) => void;
}

/** Asks until when restored images should be open, since their links work again for everyone who has them. */
export function RestoreDialog({ count, expired, onClose, onRestore }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const choices = useExpiryChoices();
  const max = useMaxExpiry();
  const [chosen, setChosen] = useState<string>();
  const value = chosen ?? choices[0]?.value ?? '0';
  const asked = expiryProblem(value, max) ? undefined : askedExpiry(value);
  return (
    <Modal opened onClose={onClose} title={t('trash.restoreTitle', { count, formatted: format.number(count) })}>
      <Stack>
        <Text size="sm">
          {t(expired < count ? 'trash.restoreSome' : 'trash.restoreExpired', { count: expired, formatted: format.number(expired) })}
        </Text>
        <ExpiryField
          label={t('details.expires')}
          fields={{ 'data-autofocus': true }}
          choices={choices}
          value={value}
          max={max}
          onChange={setChosen}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button disabled={!asked} onClick={() => asked && onRestore(asked)}>
            {t('trash.restore')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
