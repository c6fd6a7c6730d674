"""Which language a message is in: by its script, or by words that are frequent in one language.

The words are our own choice of function words and of words of reports, none of them an English
word, and for a short message those of the language's patterns. A message with as many English
words, or with too few words to tell, counts as English.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Those for which there are markers, each set in a module of ``rules`` of its own.
LANGUAGES = ("de", "es", "fr", "ja", "ko", "pt", "zh")
#: Code -> name of every language and script that is told apart.
NAMES = {
    "de": "German", "fr": "French", "es": "Spanish", "pt": "Portuguese", "ja": "Japanese",
    "ko": "Korean", "zh": "Chinese", "it": "Italian", "nl": "Dutch", "pl": "Polish",
    "sv": "Swedish", "da": "Danish or Norwegian", "tr": "Turkish", "cs": "Czech", "ro": "Romanian",
    "id": "Indonesian", "vi": "Vietnamese", "fi": "Finnish", "hu": "Hungarian",
    "cyrillic": "a language in Cyrillic script", "greek": "Greek", "arabic": "Arabic script",
    "hebrew": "Hebrew", "indic": "an Indic script", "thai": "Thai",
    "lao": "Lao", "burmese": "Burmese", "khmer": "Khmer", "georgian": "Georgian",
    "armenian": "Armenian", "ethiopic": "Ethiopic script",
}  # fmt: skip
#: First and last code point -> script; ``han`` is Chinese where no kana stand beside it.
_SCRIPTS = (
    (0x3041, 0x30FF, "ja"),
    (0x1100, 0x11FF, "ko"),
    (0x3130, 0x318F, "ko"),
    (0xAC00, 0xD7A3, "ko"),
    (0x3400, 0x9FFF, "zh"),
    (0x0400, 0x052F, "cyrillic"),
    (0x0370, 0x03FF, "greek"),
    (0x0600, 0x077F, "arabic"),
    (0x0590, 0x05FF, "hebrew"),
    (0x0900, 0x0DFF, "indic"),
    (0x0E00, 0x0E7F, "thai"),
    (0x0E80, 0x0EFF, "lao"),
    (0x1000, 0x109F, "burmese"),
    (0x1780, 0x17FF, "khmer"),
    (0x10A0, 0x10FF, "georgian"),
    (0x0530, 0x058F, "armenian"),
    (0x1200, 0x137F, "ethiopic"),
)
_SYLLABIC = ("ja", "ko", "zh")
#: Letters of a word in Latin script that one character of these carries.
_LETTERS = 3
#: Share of the letters from which a script makes the language, and of kana for Japanese.
_SHARE, _KANA = 0.3, 0.05
#: Share of the words that are known ones.
_KNOWN = 0.12
#: Words from which on one known word is too few, unless there are letters that English lacks.
_SHORT = 7
_LONGEST = 4_000
#: Languages in Latin script with markers, and the words up to which theirs are looked for.
SPACED, _FEW = ("de", "es", "fr", "pt"), 20
_EDGES = ".,:;!?()[]{}\"'*`|-\u2026\u00bf\u00a1\u00ab\u00bb\u201e"

ENGLISH = (
    "the and is of to it that this was with for on are be not now all have has been "
    "from as by an or if but so i we you can will would should which when there more "
    "only still my your its their they after before done fixed tests passes passed "
    "works build test pass fix ran run running updated added removed changed change "
    "file files commit pushed committed builds green clean ready working error errors "
    "warning warnings into out up also each new old one two first last both every "
    "here let lets just what how why ok"
)
_WORDS = {
    "de": (
        "der das und ist nicht ich habe den dem ein eine einen einem einer mit für auf "
        "sind auch wird wurde wurden werden von zu zum zur noch jetzt alle alles kein "
        "keine keinen sich aber oder wenn dass nur nach durch bei über vor wie wir sie es "
        "ihr hier schon wieder läuft laufen bestehen bestanden funktioniert behoben "
        "fertig erledigt grün fehler änderung geändert nichts mehr meldet meine mein dein "
        "ohne im ausgeführt angepasst steht"
    ),
    "fr": (
        "la le de les une est et dans pour pas que qui sur avec ne je tous toutes tout "
        "sont été du au aux ce cette il elle nous vous mais ou où donc par maintenant "
        "fait corrigé j'ai c'est n'est l'erreur passent fonctionne passe erreur terminé "
        "désormais aussi sans sous après avant un encore chez moi suis fais unitaires "
        "essais"
    ),
    "es": (
        "la el de los las una está están y que en para por con del al todos todas pero "
        "más ahora ha hecho sin sobre cuando también ya muy este esta estos son fue "
        "pruebas pasan funciona corregido listo errores cambio cambios después antes "
        "porque es nada sé sigue mi uno hice proyecto cambiado ejecutado ejecuté actualizado "
        "actualicé"
    ),
    "pt": (
        "de uma está estão que em para por com não dos nos um ao tudo todos todas mas "
        "mais agora foi foram sem sobre quando também já muito este esta isso são você eu "
        "testes passam funciona corrigido pronto erro erros depois antes porque há o e os "
        "da na ou meu minha fiz novo projeto mudança executei rodei atualizei"
    ),
    "it": (
        "la il gli una è sono che non del della dei nel nella tutti tutte tutto più ora "
        "ho ha stato stata fatto senza anche dopo prima questo questa funziona corretto "
        "errore un nessun i"
    ),
    "nl": (
        "de het een zijn voor met niet dat ik heb alle nu werkt nog ook maar wordt werd "
        "zonder geen naar deze dit klaar fout fouten opgelost gewijzigd slagen"
    ),
    "pl": (
        "nie jest są się że oraz wszystkie teraz działa dla przez już błąd zostały został "
        "testy przechodzą gotowe naprawione"
    ),
    "sv": (
        "och är att det som på för med ett inte jag har alla nu fungerar efter utan från "
        "klart felet testerna går igenom ändrade"
    ),
    "da": (
        "og er det som på med ikke jeg har alle nu virker efter uden fra færdig fejlen "
        "testene rettet kører ferdig feilen fungerer"
    ),
    "tr": (
        "bir bu için ile değil tüm testler şimdi olarak çalışıyor geçti hata düzeltildi "
        "çok daha ama sonra tamamlandı değişiklik"
    ),
    "cs": (
        "že není jsem všechny nyní testy procházejí chyba opraveno hotovo také jsou byl "
        "byla bez"
    ),
    "ro": (
        "și este în pentru toate fost acum testele trec funcționează eroarea dar după "
        "fără care sunt mai"
    ),
    "id": (
        "yang untuk dengan tidak itu semua sudah telah pada dari akan saya berhasil "
        "selesai lulus kesalahan tetapi juga"
    ),
    "vi": (
        "và là của không được tất cả đã cho với các này trong tôi lỗi kiểm thử hoạt động "
        "nhưng"
    ),
    "fi": (
        "ja ei että kaikki nyt mutta olen testit toimii korjattu valmis myös kun jälkeen "
        "virhe läpi ovat"
    ),
    "hu": (
        "és egy nem hogy van minden teszt tesztek működik hiba javítva kész után volt meg"
    ),
}  # fmt: skip

#: Parts of words that hardly any other of these languages has; each counts as one word.
_PARTS = {
    "de": ("\u00df", "ung ", "ungen "),
    "fr": ("\u00e8", "\u00ea", "\u0153", " l'", " d'", " qu'", " n'", " j'"),
    "es": ("ci\u00f3n", "\u00f1", "\u00bf"),
    "pt": ("\u00e7\u00e3o", "\u00f5es", "nh\u00e3"),
}

#: Traditional characters -> simplified ones, as far as markers and words of Chinese have them.
SIMPLIFIED = str.maketrans(
    "並乾佈佔併來個們備僅優內兩別刪則剛創劃動務卻問啟單嗎圖執"
    "報塊壯實寫將對導帶幹幾強彔後從復態慮應懷擇擊據敗數斷於時"
    "書會査條構樣檔檢權歸決沒沖況淨測準滿潰為無爲現產産畢當發"
    "確碼禍穩簡約紅終結絕絡絶經綠綫維網緑緒線編緩緻纔義腳與舊"
    "萬蓋處衝裏裡複見規覺計記設許証試話該誌認誤說説課調請論謝"
    "證譯議護讀變質踐軟輪輸辦這連運過遠適遷選還邊針鈕錄錯録錶"
    "鍵鎖鐘閉開間閱閲關險隻靜響頁項順題願類顯風驅驗體髮麵麼點"
    "齣",
    "并干布占并来个们备仅优内两别删则刚创划动务却问启单吗图执"
    "报块壮实写将对导带干几强录后从复态虑应怀择击据败数断于时"
    "书会查条构样档检权归决没冲况净测准满溃为无为现产产毕当发"
    "确码祸稳简约红终结绝络绝经绿线维网绿绪线编缓致才义脚与旧"
    "万盖处冲里里复见规觉计记设许证试话该志认误说说课调请论谢"
    "证译议护读变质践软轮输办这连运过远适迁选还边针钮录错录表"
    "键锁钟闭开间阅阅关险只静响页项顺题愿类显风驱验体发面么点"
    "出",
)


def language_of(text: str, vocabulary: Callable[[], Mapping[str, str]]) -> str:
    """Return the code of the language of folded ``text``, a key of ``NAMES``; "" for English.

    ``vocabulary`` gives more words of each of ``SPACED``, between blanks; it is asked for a few
    words of which not most are English. Looks at the first ``_LONGEST`` characters; linear in
    them.
    """
    text = text[:_LONGEST]
    return ("" if text.isascii() else _script_language(text)) or _words_language(text, vocabulary)


def words_in(text: str) -> list[str]:
    """Return the words of a lower-case text without the marks around them."""
    words = (word.strip(_EDGES) for word in text.split())
    return [word for word in words if word]


def unchecked(code: str) -> str:
    """Return the name of a language for which there are no markers, "" for the others."""
    return "" if code in ("", *LANGUAGES) else NAMES[code]


def _script_language(text: str) -> str:
    counts: dict[str, int] = {}
    latin = 0
    for char in text:
        if "a" <= char <= "z":
            latin += 1
        elif char > "\u036f":
            code = ord(char)
            name = next((name for first, last, name in _SCRIPTS if first <= code <= last), "")
            if name:
                counts[name] = counts.get(name, 0) + 1
    if not counts:
        return ""
    weights = {name: n * (_LETTERS if name in _SYLLABIC else 1) for name, n in counts.items()}
    if counts.get("ja", 0) >= _KANA * counts.get("zh", 0) and "ja" in counts:
        weights["ja"] += weights.pop("zh", 0)
    best = max(weights, key=lambda name: weights[name])
    return best if weights[best] >= _SHARE * (latin + sum(weights.values())) else ""


def _words_language(text: str, vocabulary: Callable[[], Mapping[str, str]]) -> str:
    words = words_in(text)
    table = frozenset(ENGLISH.split())
    english = sum(word in table for word in words)
    more = vocabulary() if len(words) <= _FEW and 2 * english <= len(words) else {}
    scores = {}
    for code, known in _WORDS.items():
        table = frozenset((known + more.get(code, "")).split())
        scores[code] = sum(word in table or word.rpartition("'")[2] in table for word in words)
    for code, parts in _PARTS.items():
        scores[code] += sum(part in text for part in parts)
    best = max(scores, key=lambda code: scores[code])
    highest = scores[best]
    fewest = 1 if len(words) < _SHORT or not text.isascii() else 2
    return best if highest > english and highest >= max(fewest, _KNOWN * len(words)) else ""
