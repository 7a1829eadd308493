"""A token budget: nothing leaves until the provider's own count of the last call is over the threshold."""

from typing import Any

from footprint_core import Policy
from tests.stories.script import Ask, Script

TOOLS = [
    {"name": "recipe", "description": "A recipe of the canteen, for ten plates."},
    {"name": "larder", "description": "What is in the larder, by keyword."},
    {"name": "supplier", "description": "A supplier's price and next delivery for one thing."},
]

GOULASH = """\
# Mushroom goulash, ten plates
| thing | amount | prepared |
|---|---|---|
| brown mushrooms | 1,500 g | quartered |
| onions | 900 g | sliced, slowly brown |
| red peppers | 800 g | strips |
| tomato, tinned | 1,200 g | with its juice |
| sweet paprika | 40 g | off the heat, or it turns bitter |
| caraway | 6 g | ground |
| sour cream | 400 g | at the table, contains milk |

1. Onions in oil for 25 minutes, lid off. 2. Paprika in, pan off the heat, stir once. 3. Mushrooms and peppers, high
heat until they give water. 4. Tomato, caraway, salt; 35 minutes, lid on. Keeps two days cold, does not freeze well."""

DUMPLINGS = """\
# Bread dumplings, ten plates
| thing | amount | prepared |
|---|---|---|
| rolls, stale | 1,000 g | cubed, contains wheat |
| milk | 700 g | hand warm |
| eggs | 8 | |
| parsley | 60 g | chopped |
| butter | 80 g | for the onion |
| onion | 200 g | very fine |

1. Milk over the bread, a plate on top, 30 minutes. 2. Onion in butter, parsley in, cool. 3. All together with the eggs,
salt, nutmeg; knead no longer than needed. 4. Twenty balls, into water just under the boil, 18 minutes, no lid.
Test one alone first: if it falls apart, two spoons of crumbs to the rest."""

LARDER = {
    "mushroom": (
        "brown mushrooms   3.0 kg   cold room 2, shelf b   use by Thursday\nwhite mushrooms   0.8 kg   cold room 2,"
        " shelf b\ndried ceps        0.2 kg   dry store\n\nCounted this morning at six. Half of shelf b is promised"
        " to Wednesday's soup; ask before you take more than 2 kg of the brown ones. The crate with the red tape is"
        " returned goods and not to be used."
    ),
    "rolls": (
        "rolls, stale      2.4 kg   bread bin 1          two days old\nrolls, fresh      60       bread bin 2      "
        "    for breakfast\ncrumbs            1.1 kg   dry store\n\nBread bin 1 is emptied on Fridays. What is in"
        " it is dry and clean. Rye and wheat lie mixed in it since Tuesday's delivery; sort out the rye, it makes"
        " the dumplings grey and heavy."
    ),
    "paprika": (
        "sweet paprika     0.09 kg  spice drawer         opened in March, faded\nhot paprika       0.25 kg  spice"
        " drawer\nsmoked paprika    0.10 kg  spice drawer\n\nThe sweet one has lost its colour. For 60 plates it is"
        " not enough by a long way; a tin of 500 g is on the list since last week, nobody has ordered it."
    ),
}

OFFERS = {
    "brown mushrooms": (
        "Hollins Growers: brown mushrooms 6.40 a kilo, crates of 3 kg, ordered by 14:00 they come at 05:30 the next"
        " day. Order number gets a crate colour. Minimum two crates. Deliveries to the back gate only while the"
        " yard is dug up."
    ),
    "sweet paprika": (
        "Mirabel Spice: sweet paprika 11.80 for a tin of 500 g, in stock, comes with Wednesday's round. Two tins:"
        " 22.00. Their round reaches the canteen between 07:00 and 09:00; somebody has to sign."
    ),
}


def tell() -> list[dict[str, Any]]:
    """Nine calls with the usage of each, under a budget of 600 input tokens."""
    run = Script(
        "canteen-thursday",
        "Call 5 was the first over 600 tokens, so the window is cut before call 6 and not earlier",
        "Plan mushroom goulash with bread dumplings for 60 on Thursday: what do we have, what must we order, until"
        " when?",
        policy=Policy(strategy="token-budget", threshold_tokens=600, keep_recent_turns=2, keep_last_tool_results=1),
        tools=TOOLS,
        system=(
            "You plan meals for a works canteen. Amounts in kilos. Name what contains milk, egg or wheat. Order"
            " nothing yourself."
        ),
        model="oriole-medium",
    )
    run.ask("The goulash first.", Ask("recipe", {"name": "mushroom goulash"}, GOULASH))
    run.ask("Then the dumplings.", Ask("recipe", {"name": "bread dumplings"}, DUMPLINGS))
    run.ask("60 plates need 9 kg of mushrooms. What is there?", Ask("larder", {"word": "mushroom"}, LARDER["mushroom"]))
    run.ask("And 6 kg of stale rolls.", Ask("larder", {"word": "rolls"}, LARDER["rolls"]))
    run.ask("240 g of sweet paprika.", Ask("larder", {"word": "paprika"}, LARDER["paprika"]))
    run.ask("Mushrooms are short by 7 kg.", Ask("supplier", {"thing": "brown mushrooms"}, OFFERS["brown mushrooms"]))
    run.ask("Paprika is short too.", Ask("supplier", {"thing": "sweet paprika"}, OFFERS["sweet paprika"]))
    run.ask("How much sour cream was it? The recipe again.", Ask("recipe", {"name": "mushroom goulash"}, GOULASH))
    run.answer(
        "For 60 plates: 9 kg brown mushrooms (2 kg are free to take; order three crates from Hollins by 14:00 on"
        " Wednesday), 240 g sweet paprika (order one tin of 500 g from Mirabel with Wednesday's round), 6 kg stale"
        " wheat rolls (2.4 kg there, with rye among them), 2.4 kg sour cream. Contains milk, egg and wheat."
    )
    return [run.told()]
