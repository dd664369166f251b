package poot.families;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import poot.api.model.FamilyEntry;
import poot.api.model.FamilyKey;
import poot.api.model.RegistryException;

class FamiliesTest {
    @Test
    void everyKeySelectsItsFamily() throws Exception {
        for (FamilyEntry f : Families.SHIPPED) {
            for (FamilyKey k : f.keys()) {
                assertSame(f, Families.registry().resolve(k));
            }
        }
        assertEquals("llama", Families.registry().resolve(FamilyKey.gguf("llama")).family());
    }

    @Test
    void aTestBringsAFamilyOfItsOwnUnderAKeyOfItsOwn() throws Exception {
        FamilyEntry own = new FamilyEntry("own", List.of(FamilyKey.hf("own")), (c, w) -> null);
        assertSame(own, Families.builtinPlus(own).resolve(FamilyKey.hf("own")));
        FamilyEntry twice = new FamilyEntry("twice", List.of(FamilyKey.hf("llama")), (c, w) -> null);
        RegistryException e = assertThrows(RegistryException.class, () -> Families.builtinPlus(twice));
        assertEquals(new RegistryException.Duplicate(FamilyKey.hf("llama"), "llama", "twice"), e.fault());
    }
}
