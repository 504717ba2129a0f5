import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { LanStatus } from '#api/desktop/lan.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { portChangeQuery } from './lan.ts';

const OTHER = 'other name';

interface Props {
  bridge: DesktopBridge;
  status: LanStatus;
  /** The host that is chosen at first; default: the present one. */
  suggested?: string;
  onClose(): void;
}

/** Chooses the address that links start with, and says what that means for links shared so far. */
export function AddressDialog({ bridge, status: { choices, linkAddress }, suggested, onClose }: Props) {
  const { t } = useTranslation();
  const { data: facts } = useQuery(portChangeQuery(bridge));
  const current = choices.find(({ url }) => url === linkAddress)?.host;
  const [chosen, setChosen] = useState(suggested ?? current ?? choices[0]?.host ?? OTHER);
  const [name, setName] = useState('');
  const host = chosen === OTHER ? name.trim() : chosen;
  const change = useMutation({ mutationFn: () => bridge.chooseLanAddress(host), onSuccess: onClose });
  const images = facts?.images ?? 0;
  return (
    <ChangeDialog
      title={t('network.addressTitle')}
      submit={t('network.useAddress')}
      change={change}
      disabled={!host || host === current}
      onClose={onClose}
    >
      <Radio.Group value={chosen} onChange={setChosen} aria-label={t('network.addressTitle')}>
        <Stack gap="sm">
          {choices.map(({ host: value, url, kind }) => (
            <Radio key={value} value={value} label={url} description={kind === 'other' ? undefined : t(`network.${kind}Hint`)} />
          ))}
          <Radio value={OTHER} label={t('network.otherName')} description={t('network.otherNameHint')} />
        </Stack>
      </Radio.Group>
      {chosen === OTHER && (
        <TextInput
          aria-label={t('network.otherName')}
          placeholder="pics.example.lan"
          value={name}
          maxLength={253}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      {images > 0 && host && host !== current && (
        <Text size="sm" role="status">
          {t('network.addressBreaks', { count: images, address: linkAddress ?? '' })}
        </Text>
      )}
    </ChangeDialog>
  );
}
