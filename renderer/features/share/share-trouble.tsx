import { IconEyeOff, IconHourglassEmpty, IconPhotoOff } from '@tabler/icons-react';
import { ApiError } from '#api/client.ts';
import { PublicCard, PublicError, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useExplain } from '#renderer/service/explain.ts';

const CARDS = {
  expired: { name: 'expired', Icon: IconHourglassEmpty },
  view_limit_reached: { name: 'usedUp', Icon: IconEyeOff },
  not_found: { name: 'missing', Icon: IconPhotoOff },
} as const;

/** Explains why a shared image can't be shown, and what to do about it. */
export function ShareTrouble({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const code = error instanceof ApiError ? error.code : undefined;
  const card = code !== undefined && code in CARDS ? CARDS[code as keyof typeof CARDS] : undefined;
  usePageTitle(card && t(`share.${card.name}Title`));
  if (card)
    return (
      <PublicCard art={<card.Icon size={40} stroke={1.4} />} title={t(`share.${card.name}Title`)} text={t(`share.${card.name}Text`)} />
    );
  return <PublicError explanation={explain(error)} onRetry={onRetry} />;
}
