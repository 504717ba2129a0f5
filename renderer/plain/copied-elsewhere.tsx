import { IconWorldOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { i18n, useTranslation } from '#renderer/i18n/t.ts';
import type { OtherAddress } from '#renderer/service/compare-addresses.ts';
import { address as en } from '#texts/en/shell/address.ts';
import { address as zh } from '#texts/zh/shell/address.ts';
import { Note } from './note.tsx';

/** Says that a copied link starts with another address. Brings its own texts: few visitors ever see it. */
export function CopiedElsewhere({ other, onClose }: { other: OtherAddress; onClose: () => void }) {
  const { t, language } = useTranslation();
  // Only this language: one that has some texts counts as loaded.
  useMemo(() => i18n.add(language, 'translation', { address: language === 'zh' ? zh : en }), [language]);
  return (
    <Note icon={<IconWorldOff size={20} aria-hidden />} onClose={onClose}>
      {t(other.local ? 'address.copiedLocal' : 'address.copiedOther', { links: other.links })}
    </Note>
  );
}
