import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useExpiryChoices } from '#renderer/images/expiries.ts';
import type { Trashed } from './trash.ts';

interface Props {
  /** The images to restore; some of them have expired. */
  images: readonly Trashed[];
  onClose: () => void;
  /** Called with the seconds until they expire again; 0: never. */
  onRestore: (expiresIn: number) => void;
}

/** Asks until when restored images should be open, since their links work again for everyone who has them. */
export function RestoreDialog({ images, onClose, onRestore }: Props) {
  const { t } = useTranslation();
  const choices = useExpiryChoices();
  const [expiresIn, setExpiresIn] = useState<string>();
  const value = expiresIn ?? choices[0]?.value ?? '0';
  const count = images.filter(({ reason }) => reason === 'expired').length;
  return (
    <Modal opened onClose={onClose} title={t('trash.restoreTitle', { count: images.length })}>
      <Stack>
        <Text size="sm">{t(count < images.length ? 'trash.restoreSome' : 'trash.restoreExpired', { count })}</Text>
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
