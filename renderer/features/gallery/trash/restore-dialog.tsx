import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#renderer/i18n/format.ts';
import { useExpiryChoices } from '#renderer/images/expiries.ts';

interface Props {
  /** The number of images to restore, and how many of them have expired. */
  count: number;
  expired: number;
  onClose: () => void;
  /** Called with the seconds until they expire again; 0: never. */
  onRestore: (expiresIn: number) => void;
}

/** Asks until when restored images should be open, since their links work again for everyone who has them. */
export function RestoreDialog({ count, expired, onClose, onRestore }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const choices = useExpiryChoices();
  const [expiresIn, setExpiresIn] = useState<string>();
  const value = expiresIn ?? choices[0]?.value ?? '0';
  return (
    <Modal opened onClose={onClose} title={t('trash.restoreTitle', { count, formatted: format.number(count) })}>
      <Stack>
        <Text size="sm">
          {t(expired < count ? 'trash.restoreSome' : 'trash.restoreExpired', { count: expired, formatted: format.number(expired) })}
        </Text>
        <Select
          label={t('details.expires')}
          data-autofocus
          allowDeselect={false}
          data={choices}
          value={value}
          onChange={(chosen) => chosen && setExpiresIn(chosen)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button onClick={() => onRestore(Number(value))}>{t('trash.restore')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
