from tools.site.reference.commands import commands_page, walk_commands


def test_every_command_has_a_section_with_every_option() -> None:
    page = commands_page()

    found = dict(walk_commands())
    assert {"linnet train", "linnet corpus get", "linnet vocabulary build"} <= set(found)
    for name, command in found.items():
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        options = {option for each in command.params for option in each.opts if option.startswith("--")} - {"--help"}
        assert section, name
        assert not [option for option in options if f"`{option}" not in section and f", {option}" not in section], name
