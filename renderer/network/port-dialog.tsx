import { NumberInput, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import { PORTS } from '#api/desktop/listening.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { portChangeQuery } from './lan.ts';

/** Chooses another port, with the number of pictures whose links break. */
export function PortDialog({ bridge, onClose }: { bridge: DesktopBridge; onClose(): void }) {
  const { t } = useTranslation();
  const { data: facts } = useQuery(portChangeQuery(bridge));
  const [typed, setTyped] = useState<number | string>();
  const port = Number(typed ?? facts?.suggestion ?? 0);
  const change = useMutation({ mutationFn: () => bridge.choosePort(port), onSuccess: onClose });
  const isPossible = Number.isInteger(port) && port >= PORTS.min && port <= PORTS.max && port !== facts?.port;
  return (
    <ChangeDialog
      title={t('network.portTitle')}
      submit={t('network.usePort')}
      dangerous={(facts?.images ?? 0) > 0}
      change={change}
      disabled={!facts || !isPossible}
      onClose={onClose}
    >
      <NumberInput
        label={t('network.port')}
        value={typed ?? facts?.suggestion ?? ''}
        onChange={setTyped}
        min={PORTS.min}
        max={PORTS.max}
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=""
      />
      {facts?.images != null && (
        <Text size="sm" role="status">
          {facts.images > 0 ? t('network.portBreaks', { count: facts.images, port: facts.port }) : t('network.portBreaksNone')}
        </Text>
      )}
    </ChangeDialog>
  );
}
