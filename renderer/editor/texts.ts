import { useState } from 'react';
import { i18n } from '#renderer/i18n/t.ts';
import { editor as en } from '#texts/en/editor.ts';
import { editor as zh } from '#texts/zh/editor.ts';

/** Brings the editor's texts, which nothing else has to load. */
export function useEditorTexts() {
  useState(() => i18n.add('en', 'editor', en).add('zh', 'editor', zh));
}
